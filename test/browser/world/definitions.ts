/** The tests of the shop, by name. */
const TESTS = {
  Checkout: 'checkout',
  'Checkout with a gift card': 'gift-card',
  'Checkout without an account': 'guest-checkout',
  'Refund reaches the customer': 'refund',
  'Search finds products': 'search',
  'Search suggests while typing': 'suggestions',
  'Stock import of the main supplier': 'stock-import',
  'Price feed for partners': 'price-feed',
  'Basket survives a new session': 'basket',
  'Delivery dates are kept': 'delivery',
  'Invoices as PDF': 'invoices',
  'Newsletter can be left': 'newsletter',
  'Sign-in with a passkey': 'passkey',
  'Sign-up sends one mail': 'sign-up',
  'Vouchers expire at midnight': 'vouchers',
  'Wish list is private': 'wish-list',
} as const;

export type ShopTest = keyof typeof TESTS;
export const SHOP_TESTS = Object.keys(TESTS) as ShopTest[];

const SMOKE = SHOP_TESTS.slice(0, 5);
/** Four occupy its four slots; the rest is queued. */
const SLOW: ShopTest[] = ['Stock import of the main supplier', 'Price feed for partners'];
const NIGHTLY = [
  ...SHOP_TESTS.filter((name) => !SLOW.includes(name)).slice(0, 9),
  ...SLOW,
  ...SLOW,
  ...SHOP_TESTS.slice(9),
];

const test = (name: string, spec: string) =>
  `  - { name: "${name}", command: [npx, playwright, test, ${spec}.spec.ts], timeout: 30m, retries: ${spec === 'search' ? 1 : 0} }`;

/** One test of every runner type, with all settings. */
const RUNNER_TESTS = `  - name: Pay by card in the browser
    runner: browser
    baseUrl: "{{BASE_URL}}"
    viewport: { width: 1280, height: 720 }
    locale: en-GB
    timezone: Europe/London
    steps:
      - goto: /
      - click: { role: link, name: "Tea, green, 100 g" }
      - click: { role: button, name: Add to basket }
      - group: sign in
      - expect: { role: heading, name: Your order }
      - click: { role: button, name: Pay now }
      - expect: { role: heading, name: Thank you }
    groups:
      sign in:
        - fill: { label: Email, value: ada@shop.example }
        - fill: { label: Password, value: "{{PASSWORD}}" }
  - name: Orders in the API
    runner: http
    baseUrl: "{{BASE_URL}}/api"
    requests:
      - method: POST
        url: /sign-in
        json: { user: ada, password: "{{PASSWORD}}" }
        capture: { TOKEN: { json: $.token, secret: true } }
      - name: An order is made
        method: POST
        url: /orders
        json: { sku: tea-green, quantity: 1 }
        expect: { status: 201 }
        capture: { ORDER: { json: $.id } }
      - url: /orders/{{ORDER}}
        expect: { status: 200, json: [{ path: $.total, equals: 12.4 }], time: { below: 500ms } }
      - method: DELETE
        url: /orders/{{ORDER}}
  - name: Unit tests of the cart
    command: [npx, mocha, --reporter, mocha-junit-reporter]
    results: { junit: "out/*.xml" }
  - name: End-to-end tests of the repository
    command: [npx, playwright, test]
    git: { url: "https://git.example.com/shop/tests.git", ref: main, path: e2e }
    setup: { command: [npm, ci], key: [package-lock.json], keep: [node_modules] }
    results: { junit: results.xml }
    artifacts: ["playwright-report/**"]
    limits: { memoryMiB: 512, processes: 64, outputMiB: 64, diskMiB: 1024 }
`;

/** The project file of the shop in the screenshots. */
export const WEBSHOP = `
project: Webshop
tests:
${Object.entries(TESTS)
  .map(([name, spec]) => test(name, spec))
  .join('\n')}
  - { name: Pictures on a real phone, command: [npx, playwright, test, phone.spec.ts], pool: phones }
  - { name: Load of a sale, command: [k6, run, sale.js] }
${RUNNER_TESTS}suites:
  - { name: Smoke, tests: [${quoted(SMOKE)}], parallelism: 4 }
  - { name: Nightly, tests: [${quoted(NIGHTLY)}], parallelism: 4, overlap: skip }
  - { name: Before a release, tests: [${quoted(SHOP_TESTS.slice(8, 12))}], parallelism: 2, onFailure: stop, retryFailed: 1 }
schedules:
  - { name: Before the report of the month, suite: Nightly, cron: "30 5 1 * *", timeZone: Europe/Stockholm }
  - { name: Office hours, suite: Smoke, cron: "*/30 8-17 * * 1-5", timeZone: America/Argentina/Buenos_Aires, paused: true }
`;

export const WAREHOUSE = `
project: Warehouse
tests:
  - { name: Pick lists are complete, command: [npx, playwright, test, pick-lists.spec.ts] }
  - { name: Labels can be printed, command: [npx, playwright, test, labels.spec.ts] }
suites:
  - { name: Morning, tests: [Pick lists are complete, Labels can be printed] }
`;

export const TESTS_OF_NIGHTLY = NIGHTLY;

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
