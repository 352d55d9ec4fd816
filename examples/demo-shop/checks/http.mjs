// What a visitor's browser would get, without a browser: pages, types and errors over HTTP.
import { checkShop } from './check.mjs';

await checkShop(async ({ get, expect }) => {
  const home = await get('/');
  expect('the home page is there', home.status, 200);
  expect('it is HTML', home.type, 'text/html; charset=utf-8');
  expect('it has its title', home.body.includes('<title>Demo shop</title>'), true);
  expect('it shows the tea pot with its price', home.body.includes('Tea pot: 39.95 €'), true);

  expect('the product list is JSON', (await get('/products')).type, 'application/json');
  expect('an unknown page is not found', (await get('/no-such-page')).status, 404);
});
