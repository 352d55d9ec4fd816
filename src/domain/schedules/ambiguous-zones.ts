/** Abbreviations of several time zones, with an example of each zone; Node would pick one arbitrarily. */
const ZONES: ReadonlyMap<string, readonly string[]> = new Map([
  ['ACT', ['Australia/Darwin', 'America/Rio_Branco']],
  ['ART', ['America/Argentina/Buenos_Aires', 'Africa/Cairo']],
  ['AST', ['America/Halifax', 'Asia/Riyadh']],
  ['BST', ['Europe/London', 'Asia/Dhaka']],
  ['CST', ['America/Chicago', 'Asia/Shanghai', 'America/Havana']],
  ['ECT', ['America/Guayaquil', 'Europe/Paris']],
  ['IST', ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem']],
  ['MIT', ['Pacific/Marquesas', 'Pacific/Apia']],
  ['NST', ['America/St_Johns', 'Pacific/Auckland']],
  ['PST', ['America/Los_Angeles', 'Asia/Manila']],
  ['SST', ['Pacific/Pago_Pago', 'Pacific/Guadalcanal']],
]);

/** @returns time zones with this abbreviation (in any case); undefined when it is not ambiguous */
export function ambiguousZones(abbreviation: string): readonly string[] | undefined {
  return ZONES.get(abbreviation.toUpperCase());
}
