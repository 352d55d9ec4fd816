/** Owners of a project, to write to. */
export function WhomToAsk({ owners }: { owners: readonly string[] }) {
  if (owners.length === 0) return <>Ask an admin of this server.</>;
  return (
    <>
      Ask an owner of the project:{' '}
      {owners.map((email, index) => (
        <span key={email}>
          {index > 0 ? ', ' : ''}
          <a href={`mailto:${email}`}>{email}</a>
        </span>
      ))}
      .
    </>
  );
}
