/** The field of a filter form that searches by name. */
export function NameSearch({ value }: { value: string | undefined }) {
  const text = 'Part of the name';
  return <input class="form-control" type="search" name="search" value={value} placeholder={text} aria-label={text} />;
}
