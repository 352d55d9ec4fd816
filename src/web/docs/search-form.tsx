/** Search in the documentation. */
export function SearchForm({ query }: { query?: string | undefined }) {
  return (
    <form role="search" method="get" action="/docs/search">
      <label class="form-label" for="q">
        Search the documentation
      </label>
      <div class="input-group">
        <input class="form-control" type="search" id="q" name="q" value={query} maxLength={200} required />
        <button type="submit" class="btn btn-outline-primary">
          Search
        </button>
      </div>
    </form>
  );
}
