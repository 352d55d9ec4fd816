import { expect } from 'chai';
import { DataTable, type DataTableProps } from '#src/web/components/data-table.js';
import { renderFragment } from '#src/web/http/render-page.js';

describe('DataTable', () => {
  const items = [{ name: 'Smoke <1>', status: 'passed', runs: 7 }];
  type Item = (typeof items)[number];
  const html = (props: Partial<DataTableProps<Item>> = {}) =>
    renderFragment(
      DataTable<Item>({
        items,
        columns: [
          { label: 'Test', cell: ({ name }) => name },
          { label: 'Status', cell: ({ status }) => status, isUnlabeled: true },
          { label: 'Runs', cell: ({ runs }) => runs, class: 'number' },
        ],
        ...props,
      }),
    );

  it('labels each value with its column heading, and uses the first one as row heading', () => {
    expect(html()).to.equal(
      '<table><thead><tr><th scope="col">Test</th><th scope="col">Status</th><th scope="col">Runs</th></tr></thead>' +
        '<tbody><tr><th scope="row">Smoke &lt;1></th><td>passed</td><td data-label="Runs" class="number">7</td></tr>' +
        '</tbody></table>',
    );
  });

  it('has a last column for actions, and omits an absent column', () => {
    const columns = [false as const, { label: 'Test', cell: ({ name }: Item) => name }];
    const table = html({ columns, actions: ({ runs }) => `Remove ${runs}` });
    expect(table).to.include('<th scope="col">Test</th><th scope="col">Actions</th>');
    expect(table).to.include('<th scope="row">Smoke &lt;1></th><td class="actions">Remove 7</td>');
    expect(html({ columns, actions: false })).not.to.include('Actions');
  });

  it('renders rows alone with their attributes, for live pages', () => {
    const rows = html({ hasHead: false, nameColumn: 1, row: ({ runs }) => ({ id: `run-${runs}`, 'data-runs': runs }) });
    expect(rows).to.match(/^<table><tbody><tr id="run-7" data-runs="7"><td data-label="Test">/);
    expect(rows).to.include('<th scope="row">passed</th>');
  });
});
