import { expect } from 'chai';
import { useBrowserWorld } from './support.js';

const ORDER = [
  { goto: '/list' },
  { expect: { role: 'heading', name: 'All goods' } },
  { expect: { testId: 'price-tea-pot', text: '24.00 EUR' } },
  { click: { role: 'button', name: 'Add Tea pot' } },
  { expect: { testId: 'cart-count', text: '1' } },
  { click: { role: 'link', name: 'Go to the cart' } },
  { fill: { label: 'E-mail', value: '{{EMAIL}}' } },
  { select: { label: 'Country', option: 'Sweden' } },
  { check: { label: 'I agree' } },
  { click: { role: 'button', name: 'Pay' } },
  { click: { role: 'button', name: 'Yes, order', within: { role: 'dialog', name: 'Confirm' } } },
  { expect: { text: 'Thank you for your order' } },
  { setVariable: { name: 'ORDER', from: { testId: 'order-id' } } },
  { download: { click: { role: 'link', name: 'Invoice' }, contains: '{{ORDER}}' } },
  { expect: { url: '/cart' } },
] as const;

describe('browser runner', () => {
  const world = useBrowserWorld();
  const variables = { EMAIL: 'ann@example.com' };

  it('passes a test of all kinds', async () => {
    const { verdict, steps, files, log } = await world.run([...ORDER], {}, { variables });
    console.log(log, verdict, steps.length, [...files.keys()]);
    expect(verdict).to.deep.equal({ status: 'passed' });
  });
  it('fails', async () => {
    world.shop.faults.renamedButton = true;
    const { verdict, files, log } = await world.run([...ORDER], {}, { variables });
    console.log(
      log,
      verdict,
      [...files].map(([n, c]) => [n, c.length]),
    );
  });
});
