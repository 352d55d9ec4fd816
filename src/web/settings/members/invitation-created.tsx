import type { Invitation } from '#src/domain/people/people.js';
import { Copy } from '#src/web/components/copy.js';
import { Moment } from '#src/web/components/moment.js';
import { SettingsLayout, settingsPath, type SettingsProps } from '#src/web/settings/settings-layout.js';

/** The link of a new invitation, shown only once. */
export function InvitationMade({
  page,
  project,
  invitation,
  url,
}: SettingsProps & { invitation: Invitation; url: string }) {
  const { role, email, expiresAt } = invitation;
  return (
    <SettingsLayout page={page} project={project} tab="members" title="Invitation created">
      <p>
        Send this link to {email ?? 'the person you invite'}. The first person to open it joins “{project.name}” as{' '}
        {role === 'viewer' ? 'a' : 'an'} {role}. It works once and expires <Moment at={expiresAt} />.
      </p>
      <Copy id="invitation-url" text={url} label="Copy link" />
      <p class="notice">The link is shown only once. If you lose it, revoke the invitation and create another one.</p>
      <p>
        <a class="btn btn-outline-secondary" href={settingsPath(project, 'members')}>
          Back to members
        </a>
      </p>
    </SettingsLayout>
  );
}
