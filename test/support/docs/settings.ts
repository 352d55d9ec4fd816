import { SETTINGS } from '#src/config.js';
import { LIMITS, PROJECT_LIMITS, type LimitRule } from '#src/domain/limits.js';
import { LIMIT_RULES } from '#src/domain/targets/test-limits.js';
import { code, count, table, withChoices } from './markdown.js';
import { SETTING_TEXTS } from './setting-texts.js';

/** Default of a burst. */
const AS_PER_MINUTE = 'as many as per minute';

type Described = { flags?: { presence?: string; default?: unknown; only?: boolean }; allow?: unknown[]; type?: string };

/** Every setting of the environment, with the processes that read it. */
export function settingsTable(): string {
  const readers = new Map<string, { by: string[]; schema: Described }>();
  for (const [by, schema] of Object.entries(SETTINGS))
    for (const [name, field] of Object.entries(schema.describe().keys as Record<string, Described>)) {
      const known = readers.get(name);
      if (known) known.by.push(by);
      else readers.set(name, { by: [by], schema: field });
    }
  return table(
    ['Variable', 'Read by', 'Meaning', 'Default'],
    [...readers].map(([name, { by, schema }]) => [
      code(name),
      by.join(', '),
      withChoices(textOf(name)?.text ?? '', schema),
      unset(name, schema),
    ]),
  );
}

/** Settings without a text, and texts without a setting. */
export function settingsWithoutText(): string[] {
  const named = new Set(Object.values(SETTINGS).flatMap((schema) => Object.keys(schema.describe().keys)));
  return [
    ...[...named].filter((name) => textOf(name) === undefined),
    ...Object.keys(SETTING_TEXTS).filter((name) => !named.has(name)),
  ];
}

/** Limits of instance and project. */
export function limitsTable(): string {
  return table(
    ['Limit', 'Default', 'Variable', 'Field of a project'],
    Object.entries<LimitRule>(LIMITS).map(([name, rule]) => [
      rule.text,
      rule.default === undefined ? AS_PER_MINUTE : count(rule.default),
      code(rule.variable),
      (PROJECT_LIMITS as readonly string[]).includes(name) ? code(name) : '',
    ]),
  );
}

/** Resource limits of tests. */
export function testLimitsTable(): string {
  return table(
    ['Field of `limits`', 'Meaning', 'From', 'To', 'Limit of the worker'],
    Object.entries(LIMIT_RULES).map(([name, rule]) => [
      code(name),
      rule.text,
      count(rule.min),
      count(rule.max),
      code(rule.variable),
    ]),
  );
}

function textOf(name: string): { text: string; unset?: string } | undefined {
  const limit = Object.values<LimitRule>(LIMITS).find(({ variable }) => variable === name);
  const ofTests = Object.values(LIMIT_RULES).find(({ variable }) => variable === name);
  if (limit)
    return {
      text: `[Limit](limits.md): ${lowerFirst(limit.text)}`,
      ...(limit.default === undefined ? { unset: AS_PER_MINUTE } : {}),
    };
  if (ofTests)
    return {
      text: `[Limit of a test](limits.md#test-limits): ${lowerFirst(ofTests.text)}. Default and maximum of all tests`,
    };
  return SETTING_TEXTS[name];
}

const lowerFirst = (text: string) => `${text[0]!.toLowerCase()}${text.slice(1)}`;

function unset(name: string, { flags, type }: Described): string {
  const text = textOf(name)?.unset;
  if (text !== undefined) return text;
  if (flags?.presence === 'required') return 'required';
  const value = flags?.default;
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (type === 'number') return String(value);
  return code(String(value));
}
