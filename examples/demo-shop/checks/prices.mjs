// Net, tax and total of a cart, with the tax rate that runhook.yaml declares in this test's environment.
import { checkShop } from './check.mjs';

const vatPercent = Number(process.env.VAT_PERCENT ?? 19);

await checkShop(
  async ({ get, post, expect }) => {
    await post('/cart', { product: 'mug', quantity: 1 });
    await post('/cart', { product: 'tea', quantity: 3 });
    const net = 1290 + 3 * 549;
    const vat = Math.round((net * vatPercent) / 100);
    expect(`one mug and three teas with ${vatPercent} % tax`, (await get('/cart')).body, {
      net,
      vat,
      total: net + vat,
    });

    const products = (await get('/products')).body;
    const inWholeCents = products.every(({ cents }) => Number.isInteger(cents) && cents > 0);
    expect('every price is in whole cents', inWholeCents, true);
  },
  { vatPercent },
);
