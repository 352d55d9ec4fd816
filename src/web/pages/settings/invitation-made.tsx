import type { Invitation } from '../../../domain/people.js';
import { Copy } from '../../components/copy.js';
import { Moment } from '../../components/moment.js';
import { SettingsLayout, settingsPath, type SettingsProps } from './settings-layout.js';

/** The link of a new invitation, this once. */
export function InvitationMade({
  page,
  project,
  invitation,
  url,
}: SettingsProps & { invitation: Invitation; url: string }) {
  const { role, email, expiresAt } = invitation;
  return (
    <SettingsLayout page={page} project={project} tab="members" title="The invitation is made">
      <p>
        Send this link to {email ?? 'the person whom you invite'}. Whoever opens it first joins “{project.name}” as{' '}
        {role === 'viewer' ? 'a' : 'an'} {role}. It is good for one person, until <Moment at={expiresAt} />.
      </p>
      <Copy id="invitation-url" text={url} label="Copy the link" />
      <p class="notice">This link is shown this once only. If it gets lost, revoke the invitation and make another.</p>
      <p>
        <a class="btn btn-outline-secondary" href={settingsPath(project, 'members')}>
          Back to the members
        </a>
      </p>
    </SettingsLayout>
  );
}
