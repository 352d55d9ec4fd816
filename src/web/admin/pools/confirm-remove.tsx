import type { FormProblem } from '#src/web/components/form/form.js';
import { ConfirmPage } from '#src/web/confirm-page.js';
import type { AdminProps } from '#src/web/admin/admin-layout.js';

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
      <p>Tests can no longer be assigned to this pool. A pool that is used by tests cannot be removed.</p>
    </ConfirmPage>
  );
}
