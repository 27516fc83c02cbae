import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../gallery/providers.tsx'
import { type Column, DataTable, hideableColumns } from './data-table.tsx'
import { TableMenu } from './table-view/table-menu.tsx'
import { Checkbox } from './ui/forms/checkbox.tsx'

interface Part {
  id: string
  name: string
}

const PARTS: readonly Part[] = Array.from({ length: 30 }, (_, index) => ({
  id: `p${index}`,
  name: `Part ${index}`,
}))

const COLUMNS: readonly Column<Part>[] = [
  {
    id: 'tick',
    head: '',
    track: '40px',
    cell: ({ name }) => <Checkbox label={`Select ${name}`} isLabelHidden />,
  },
  {
    id: 'name',
    head: 'Name',
    track: '1fr',
    value: ({ name }) => name,
    cell: ({ id, name }) => <Link to={`?part=${id}`}>{name}</Link>,
  },
  { id: 'weight', head: 'Weight', track: '80px', value: ({ id }) => id.length, cell: ({ id }) => id.length },
]

function Parts() {
  const [params] = useSearchParams()
  const open = params.get('part')
  if (open) return <Link to="?">Back from {open}</Link>
  return <Table columns={COLUMNS} rows={PARTS} />
}

const Table = ({ columns, rows }: { columns: readonly Column<Part>[]; rows: readonly Part[] }) => (
  <DataTable
    name="parts"
    label="Parts"
    columns={columns}
    rows={rows}
    total={rows.length}
    rowHeight={44}
    phoneRow={({ id, name }) => <Link to={`?part=${id}`}>{name}</Link>}
    phoneRowHeight={44}
    isStale={false}
    hasMore={false}
    onMore={() => undefined}
  />
)

const noteOf = ({ name }: Part) => <input aria-label={`Note of ${name}`} />

const show = () =>
  render(
    <Providers address="/">
      <main id="content" tabIndex={-1}>
        <input aria-label="Search" />
        <TableMenu name="parts" columns={hideableColumns(COLUMNS)} onExport={null} />
        <Parts />
      </main>
    </Providers>,
  )

const focused = async (screen: Awaited<ReturnType<typeof show>>, name: string) => {
  await expect.element(screen.getByRole('link', { name, exact: true })).toHaveFocus()
}

it('DataTable moves the focus between rows with J, K and the arrow keys, and ticks the focused row with X', async () => {
  const screen = await show()
  await expect.element(screen.getByText('Part 3', { exact: true })).toBeVisible()
  await userEvent.keyboard('j')
  const first = document.activeElement?.textContent
  expect(first).toMatch(/^Part \d$/)
  await userEvent.keyboard('jjk{ArrowDown}')
  await focused(screen, `Part ${Number(first?.slice(5)) + 2}`)
  await userEvent.keyboard('{ArrowUp}x')
  const name = `Part ${Number(first?.slice(5)) + 1}`
  await expect.element(screen.getByRole('checkbox', { name: `Select ${name}`, exact: true })).toBeChecked()
})

it('DataTable renders each row that J moves to, and focuses the opened row again after going back', async () => {
  const screen = await show()
  await expect.element(screen.getByText('Part 3', { exact: true })).toBeVisible()
  for (let row = 0; row < 25; row += 1) await userEvent.keyboard('j')
  const name = document.activeElement?.textContent ?? ''
  expect(Number(name.slice(5))).toBeGreaterThan(20)
  await userEvent.keyboard('{Enter}')
  const back = screen.getByRole('link', { name: /^Back from/ })
  await expect.element(back).toBeVisible()
  await back.click()
  await focused(screen, name)
})

it('DataTable ignores keys that are typed into a field', async () => {
  const screen = await show()
  const field = screen.getByRole('textbox', { name: 'Search' })
  await userEvent.click(field)
  await userEvent.keyboard('jk')
  await expect.element(field).toHaveValue('jk')
  await expect.element(field).toHaveFocus()
})

it('DataTable also moves the focus through the rows on a phone', async () => {
  await page.viewport(390, 844)
  try {
    const screen = await show()
    await expect.element(screen.getByText('Part 3', { exact: true })).toBeVisible()
    await userEvent.keyboard('jj')
    expect(document.activeElement?.textContent).toMatch(/^Part \d$/)
  } finally {
    await page.viewport(1280, 800)
  }
})

it('the table menu of DataTable can hide a column and make the rows compact', async () => {
  localStorage.removeItem('pegasus-table:parts')
  const screen = await show()
  await expect.element(screen.getByRole('columnheader', { name: 'Weight' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Table view' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Weight' }))
  await expect.element(screen.getByRole('menuitemcheckbox', { name: 'Weight' })).not.toBeChecked()
  await expect.element(screen.getByRole('columnheader', { name: 'Weight' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Compact rows' }))
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('button', { name: 'Table view' })).toHaveFocus()
  expect(JSON.parse(localStorage.getItem('pegasus-table:parts') ?? '')).toEqual({
    hidden: ['weight'],
    isCompact: true,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Table view' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Weight' }))
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Compact rows' }))
  await expect.element(screen.getByRole('columnheader', { name: 'Weight' })).toBeVisible()
})

it('a row of DataTable keeps what is typed in it when other rows are added above', async () => {
  function Queue() {
    const [parts, setParts] = useState(PARTS.slice(1, 4))
    return (
      <>
        <button type="button" onClick={() => setParts(PARTS.slice(0, 4))}>
          Add Part 0
        </button>
        <Table columns={[{ id: 'note', head: 'Note', track: '1fr', cell: noteOf }]} rows={parts} />
      </>
    )
  }
  const screen = await render(
    <Providers address="/">
      <Queue />
    </Providers>,
  )
  const note = screen.getByRole('textbox', { name: 'Note of Part 2' })
  await userEvent.fill(note, 'in red')
  await screen.getByRole('button', { name: 'Add Part 0' }).click()
  await expect.element(screen.getByRole('textbox', { name: 'Note of Part 0' })).toBeVisible()
  await expect.element(note).toHaveValue('in red')
})
