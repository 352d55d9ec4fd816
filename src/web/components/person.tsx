interface PersonProps {
  name: string;
  email: string;
  isSelf: boolean;
  /** In parentheses behind them. */
  note?: string | undefined;
}

/** A person in a list: the name, where there is one, and the email. */
export function Person({ name, email, isSelf, note }: PersonProps) {
  return (
    <>
      {name || email}{' '}
      <span class="muted">
        {name ? email : ''}
        {isSelf ? ' (you)' : ''}
        {note ? ` (${note})` : ''}
      </span>
    </>
  );
}
