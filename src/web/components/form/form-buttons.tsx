import type { ComponentChildren } from 'preact';

interface FormButtonsProps {
  /** The label of the first button. */
  children: ComponentChildren;
  /** Where the second one leads. */
  cancel: string;
}

/** The end of a form: submits it, or leads back. */
export function FormButtons({ children, cancel }: FormButtonsProps) {
  return (
    <div class="buttons">
      <button type="submit" class="btn btn-primary">
        {children}
      </button>
      <a class="btn btn-outline-secondary" href={cancel}>
        Cancel
      </a>
    </div>
  );
}

/** What the Enter key presses in a form with other buttons before Save. */
export function DefaultButton() {
  return (
    <button type="submit" class="visually-hidden" tabindex={-1} aria-hidden="true">
      Save
    </button>
  );
}
