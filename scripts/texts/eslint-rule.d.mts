import type { Rule } from 'eslint';

export const plainEnglish: Rule.RuleModule;
