/** On an element of a live message: it takes the place of the one with the same id. */
export function swapped(isLive: boolean | undefined) {
  return isLive ? { 'hx-swap-oob': 'outerMorph' } : {};
}
