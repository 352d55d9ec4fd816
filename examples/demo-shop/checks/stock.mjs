// A flaky test, as in real life: the warehouse sends its list late, and the second attempt finds it there. Runhook says
// in RUNHOOK_ATTEMPT which attempt this is, from 1.
import { checkShop } from './check.mjs';

const attempt = Number(process.env.RUNHOOK_ATTEMPT ?? 1);
console.log(`Attempt ${attempt}`);

await checkShop(
  async ({ get, post, expect }) => {
    const refresh = await post('/stock/refresh');
    expect('the stock is up to date', refresh.body.message, 'stock is up to date');
    expect('there are tea pots again', (await get('/stock')).body.pot, 12);
  },
  { warehouseIsLate: attempt === 1 },
);
