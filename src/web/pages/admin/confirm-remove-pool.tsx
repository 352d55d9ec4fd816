import type { FormProblem } from '../../components/form.js';
import { ConfirmPage } from '../confirm-page.js';
import type { AdminProps } from './admin-layout.js';

/** Asks before a pool is removed. */
export function ConfirmRemovePool({
  page,
  name,
  problem,
}: AdminProps & { name: string; problem?: FormProblem | undefined }) {
  return (
    <ConfirmPage
      page={page}
      title={`Remove the pool ${name}?`}
      verb="Remove pool"
      action={`/admin/pools/${name}/remove`}
      back="/admin/pools"
      problem={problem}
    >
      <p>No test can be saved with this pool any more. A pool that tests use cannot be removed.</p>
    </ConfirmPage>
  );
}
