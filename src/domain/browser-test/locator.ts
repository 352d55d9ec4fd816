import Joi from 'joi';
import { must, text } from '#src/domain/targets/definition-fields.js';

/** Identifies an element of the page. Exactly one element must match. */
export interface ElementLocator {
  /** ARIA role: `button`, `link`, `heading`; `name` is the accessible name. */
  role?: string;
  name?: string;
  /** The label of a field. */
  label?: string;
  /** Part of its text. */
  text?: string;
  placeholder?: string;
  /** Its `data-testid`. */
  testId?: string;
  css?: string;
  /** Whether the whole text and its case must match. Default: true for `name`, `label` and `placeholder`. */
  exact?: boolean;
  /** Which of several matches, from 1; -1 is the last. */
  nth?: number;
  /** Only inside this element. */
  within?: ElementLocator;
  /** CSS selector of the iframe that contains it. */
  frame?: string;
}

/** A locator has exactly one of these. */
export const FINDERS = ['role', 'label', 'text', 'placeholder', 'testId', 'css'] as const;
export type Finder = (typeof FINDERS)[number];

/** ARIA 1.2, without abstract roles. */
const ROLES = new Set(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem'.split(
    ' ',
  ),
);

export const short = () => text().min(1).max(1000).messages(must('a string of 1 to 1,000 characters'));

const ROLE = 'an ARIA role such as button, link, heading, textbox, checkbox or dialog';
const finders = {
  // Not a list of values, which would appear in the API description dozens of times.
  role: Joi.string()
    .custom((value: string, helpers) => (ROLES.has(value) ? value : helpers.error('any.invalid')))
    .messages(must(ROLE)),
  name: short(),
  label: short(),
  text: short(),
  placeholder: short(),
  testId: short(),
  css: short(),
  exact: Joi.boolean().messages(must('true or false')),
  nth: Joi.number()
    .integer()
    .min(-1)
    .max(1000)
    .invalid(0)
    .messages(must('a whole number from 1 to 1,000, or -1 for the last element')),
  frame: short(),
};

/** The finder of a locator: `text` only without another one, next to which it is an expectation. */
export function finderOf(locator: ElementLocator): Finder | undefined {
  const others = FINDERS.filter((finder) => finder !== 'text' && locator[finder] !== undefined);
  return others[0] ?? (locator.text === undefined ? undefined : 'text');
}

const ONE_OF = `one of ${FINDERS.join(', ')}`;

/**
 * A locator with further fields of a step.
 * @param kind of step, for messages
 * @param own further fields
 * @param rules `textIsMore`: `text` is allowed next to another finder; `optional`: fields with which no finder is required
 */
export function locatorWith<T extends ElementLocator>(
  kind: string,
  own: Joi.SchemaMap = {},
  { textIsMore = false, optional = [] as readonly string[] } = {},
): Joi.ObjectSchema<T> {
  const within = kind === 'within' ? {} : { within: locatorWith('within') };
  const fields = { ...finders, ...within, ...own };
  return Joi.object<T>(fields)
    .custom((value: T & Record<string, unknown>, helpers) => {
      const found = FINDERS.filter((finder) => value[finder] !== undefined);
      const count = found.length - (textIsMore && found.length > 1 && found.includes('text') ? 1 : 0);
      if (count > 1) return helpers.error('locator.several', { found: found.join(' and ') });
      if (count === 0 && !optional.some((name) => value[name] !== undefined)) return helpers.error('locator.none');
      if (value.name !== undefined && value.role === undefined && !('name' in own))
        return helpers.error('locator.name');
      return value;
    })
    .messages({
      'object.base': `{{#label}} must identify an element of the page: a map with ${ONE_OF}`,
      'object.unknown': `{{#label}} is not a field of ${kind}; the fields are ${Object.keys(fields).join(', ')}`,
      'locator.none': `{{#label}} must have ${[...optional, ONE_OF].join(', or ')}`,
      'locator.several': `{{#label}} has {{#found}}, but must have only ${ONE_OF}`,
      'locator.name': '{{#label}} has a name without a role; add a role such as button, or use text or label instead',
    });
}
