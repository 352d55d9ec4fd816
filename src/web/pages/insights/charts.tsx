/** Pictures of the table of days beside them, drawn by insights.js; without scripts there is the table. */
export function Charts({ hasCases }: { hasCases: boolean }) {
  return (
    <div>
      <Chart
        name="pass-rate"
        title="Pass rate"
        label="Share of the runs of each day that passed, of tests and of suites"
      />
      <Chart name="duration" title="Duration" label="How long a test took on average on each day" />
      {hasCases ? (
        <Chart
          name="cases"
          title="Cases"
          label="How many cases of the results of tests passed and failed on each day"
        />
      ) : null}
    </div>
  );
}

function Chart({ name, title, label }: { name: string; title: string; label: string }) {
  return (
    <section data-chart-section hidden aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      <div class="chart" data-chart={name} role="img" aria-label={`${label}. The table of days holds the numbers.`} />
    </section>
  );
}
