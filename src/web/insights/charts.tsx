/** Pictures of the table of days beside them, drawn by insights.js; without scripts there is the table. */
export function Charts({ hasCases }: { hasCases: boolean }) {
  return (
    <div>
      <Chart name="pass-rate" title="Pass rate" label="Share of passed test and suite runs per day" />
      <Chart name="duration" title="Duration" label="Average test duration per day" />
      {hasCases ? <Chart name="cases" title="Cases" label="Passed and failed test cases per day" /> : null}
    </div>
  );
}

function Chart({ name, title, label }: { name: string; title: string; label: string }) {
  return (
    <section data-chart-section hidden aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{title}</h2>
      <div class="chart" data-chart={name} role="img" aria-label={`${label}. The table below contains the numbers.`} />
    </section>
  );
}
