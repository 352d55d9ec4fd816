/** An element of a live page as it is sent to pages that are open: it takes the place of the one with its id. */
export const LIVE_PART = { 'hx-swap-oob': 'outerMorph' } as const;
