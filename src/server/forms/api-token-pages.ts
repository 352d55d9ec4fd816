import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from 'joi';
import type { VNode } from 'preact';
import { NotFoundError } from '#src/domain/errors.js';
import type { Scope } from '#src/domain/people/rights.js';
import { name } from '#src/domain/targets/definition-fields.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { PageRoute } from '#src/server/pages/page-route.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { NewApiToken, TokenOwner } from '#src/services/tokens/api-token-services.js';
import { ApiTokens, ConfirmRevokeApiToken, CreatedApiToken } from '#src/web/components/api-tokens.js';
import { NEW_API_TOKEN, TOKEN_LIFETIMES } from '#src/web/components/form/api-token-form.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';
import { checked } from './checked.js';
import { formPages } from './form-pages.js';
import type { SubmittedForm } from './submitted-form.js';

const DAY_MS = 24 * 3_600_000;

type OfToken = { Params: Record<string, string> };

interface ApiTokenPages extends Pick<PageRoute<OfToken>, 'path' | 'access'> {
  /** Of the list, if more people may see it than create tokens. */
  readAccess?: PageRoute<OfToken>['access'];
  /** The scopes that a token may have. */
  scopes: readonly Scope[];
  ownerOf(request: Request<OfToken>): TokenOwner;
  /** The page around the tokens. @param created the name of a token that was just created */
  show(request: Request<OfToken>, page: SignedInPage, content: VNode, created?: string): Promise<VNode> | VNode;
}

/** API tokens of a person or a project: listed, created (shown once) and revoked. */
export function apiTokenPages({ tokens: { api }, clock }: RouteDeps, pages: ApiTokenPages): ServerRoute[] {
  const { path, access, readAccess, scopes, ownerOf, show } = pages;
  const listPath = ({ params }: Request<OfToken>) => path.replace('{projectId}', params.projectId!);
  return [
    ...formPages<OfToken>({
      path,
      access,
      readAccess,
      values: () => NEW_API_TOKEN,
      async show(request, page, form) {
        const tokens = await api.list(ownerOf(request));
        const { viewer } = page;
        return show(request, page, ApiTokens({ path: listPath(request), viewer, scopes, tokens, form }));
      },
      async submit(request, form, page) {
        const input = readApiToken(form, scopes, clock.now());
        const { token } = await api.create(callerOf(request), ownerOf(request), input, undefined);
        return show(request, page, CreatedApiToken({ path: listPath(request), token: token! }), input.name);
      },
    }),
    ...formPages<OfToken>({
      path: `${path}/{tokenId}/revoke`,
      access,
      async show(request, page, { problem }) {
        const token = (await api.list(ownerOf(request))).find(({ id }) => id === request.params.tokenId);
        if (!token) throw new NotFoundError(RESOURCE_NOT_FOUND);
        return ConfirmRevokeApiToken({ page, path: listPath(request), token, problem });
      },
      async submit(request) {
        await api.revoke(callerOf(request), ownerOf(request), request.params.tokenId!);
        return { goTo: listPath(request), notice: 'Token revoked.' };
      },
    }),
  ];
}

const schema = (scopes: readonly Scope[]) =>
  Joi.object<{ name: string; scopes: Scope[]; lifetime: string }>({
    name: name.required(),
    scopes: Joi.array()
      .items(Joi.string().valid(...scopes))
      .min(1)
      .unique()
      .messages({ 'array.min': 'Select at least one scope' }),
    lifetime: Joi.string().valid(...TOKEN_LIFETIMES.map(({ value }) => value)),
  });

/** @param now by the database's clock. @throws InvalidInputError */
function readApiToken(form: SubmittedForm, scopes: readonly Scope[], now: Date): NewApiToken {
  const entered = { name: form.raw('name'), scopes: form.all('scopes'), lifetime: form.raw('lifetime') };
  const { lifetime, ...token } = checked(schema(scopes), entered);
  if (lifetime === 'never') return token;
  return { ...token, expiresAt: new Date(now.getTime() + Number(lifetime) * DAY_MS) };
}
