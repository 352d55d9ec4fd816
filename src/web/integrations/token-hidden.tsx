import { WhomToAsk } from '#src/web/components/whom-to-ask.js';

interface TokenHiddenProps {
  /** What is hidden: the token, or a URL that contains it. */
  what: 'token' | 'URL';
  owners: readonly string[];
}

/** In place of a webhook token, for viewers who may not see it. */
export function TokenHidden({ what, owners }: TokenHiddenProps) {
  return (
    <div class="notice">
      <p>
        Your role cannot see the {what}, because anyone with the {what} can start runs. Editors and owners can see it.
      </p>
      <p>
        <WhomToAsk owners={owners} />
      </p>
    </div>
  );
}
