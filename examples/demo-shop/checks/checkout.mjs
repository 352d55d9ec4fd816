// A customer buys two mugs: the order is paid, the cart is empty again, the stock is down by two.
import { checkShop } from './check.mjs';

await checkShop(async ({ get, post, expect }) => {
  const added = await post('/cart', { product: 'mug', quantity: 2 });
  expect('two mugs are in the cart', added.status, 200);

  const order = await post('/orders');
  expect('the order is made', order.status, 201);
  expect('the order is paid', order.body.status, 'paid');

  expect('the cart is empty', (await get('/cart')).body.total, 0);
  expect('one mug is left', (await get('/stock')).body.mug, 1);

  const tooMany = await post('/cart', { product: 'mug', quantity: 2 });
  expect('nobody can buy more than there is', tooMany.status, 409);
});
