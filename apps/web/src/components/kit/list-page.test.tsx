import { Boxes } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ApiError } from '@/lib/http/api-error.ts'
import { listQuery } from '@/lib/http/use-list.ts'
import { Providers } from '../../../gallery/providers.tsx'
import { Checkbox } from '../ui/forms/checkbox.tsx'
import { useSelection } from '../selection/use-selection.ts'
import { type ListFilters, choiceFilter, searchFilter, useListState } from './list-filters.tsx'
import { ListPage } from './list-page.tsx'

interface Part {
  id: string
  name: string
}
type FindParts = (search: string) => Promise<readonly Part[]>

const KINDS = ['hook', 'tray'] as const

interface PartFilters {
  search: string
  kind: (typeof KINDS)[number] | null
}

const PARTS: readonly Part[] = [
  { id: '1', name: 'Wall hook' },
  { id: '2', name: 'Letter tray' },
]
const findByName: FindParts = async (search) => PARTS.filter(({ name }) => name.includes(search))

const FIELDS: ListFilters<PartFilters> = [
  searchFilter('Search parts'),
  choiceFilter({
    name: 'kind',
    label: 'Kind',
    any: 'Any kind',
    clearLabel: 'Clear kind',
    values: KINDS,
    labelOf: (kind) => kind,
    className: 'w-32',
  }),
]

function PartList({ find }: { find: FindParts }) {
  const selection = useSelection<Part>('part', 10)
  const [params] = useSearchParams()
  const state = useListState({
    read: (now): PartFilters => ({
      search: now.get('search') ?? '',
      kind: KINDS.find((kind) => kind === now.get('kind')) ?? null,
    }),
    write: (now, { search, kind }: PartFilters) => {
      const next = new URLSearchParams(now)
      for (const [name, value] of Object.entries({ search, kind }))
        if (value) next.set(name, value)
        else next.delete(name)
      return next
    },
    fields: FIELDS,
    query: ({ search, kind }) =>
      listQuery<Part>(['parts', search, kind], async () => {
        const items = (await find(search)).filter(({ name }) => kind === null || name.includes(kind))
        return { items, total: items.length, isTotalCapped: false, nextCursor: null }
      }),
  })
  return (
    <>
      <p>Address: {params.toString()}</p>
      <ListPage
        state={state}
        heading="Parts"
        texts={{ name: 'The parts', one: 'part', loading: 'Loading the parts', noMatches: 'No parts match' }}
        rows={{
          name: 'parts',
          label: 'Parts',
          columns: [
            {
              id: 'name',
              head: 'Name',
              track: '1fr',
              value: ({ name }) => name,
              cell: (part) => <Checkbox label={part.name} onChange={() => selection.toggle(part)} />,
            },
          ],
          rowHeight: 44,
          phoneRow: ({ name }) => name,
          phoneRowHeight: 44,
        }}
        empty={{ icon: Boxes, title: 'No parts yet', text: 'Add the first one.' }}
        selection={selection}
        bulkBar={({ things }) => <p>{things.size} selected</p>}
      />
    </>
  )
}

const show = (find: FindParts = findByName, address = '/') =>
  render(
    <Providers address={address}>
      <PartList find={find} />
    </Providers>,
  )

it('ListPage shows the rows and their count', async () => {
  const screen = await show()
  await expect.element(screen.getByText('Letter tray')).toBeVisible()
  await expect.element(screen.getByText('2 parts')).toBeVisible()
})

it('ListPage writes an applied search into the URL and loads its rows', async () => {
  const screen = await show()
  await userEvent.fill(screen.getByRole('searchbox', { name: 'Search parts' }), 'tray')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByText('1 part', { exact: true })).toBeVisible()
  await expect.element(screen.getByText('Wall hook')).not.toBeInTheDocument()
})

it('ListPage reads the search from the URL, and offers to remove a search that has no matches', async () => {
  const screen = await show(findByName, '/?search=unknown')
  await expect.element(screen.getByText('No parts match')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^Clear search/ }).first())
  await expect.element(screen.getByText('Letter tray')).toBeVisible()
})

it('ListPage shows its bulk bar while rows are selected', async () => {
  const screen = await show()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Wall hook' }))
  await expect.element(screen.getByText('1 selected')).toBeVisible()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Wall hook' }))
  await expect.element(screen.getByText('1 selected')).not.toBeInTheDocument()
})

it('ListPage shows an empty state if there are no rows', async () => {
  const screen = await show(async () => [])
  await expect.element(screen.getByRole('heading', { name: 'No parts yet' })).toBeVisible()
})

it('ListPage shows a skeleton until the first response', async () => {
  let respond: (parts: readonly Part[]) => void = () => undefined
  const response = new Promise<readonly Part[]>((resolve) => {
    respond = resolve
  })
  const screen = await show(() => response)
  await expect.element(screen.getByText('Loading the parts')).toBeInTheDocument()
  respond(PARTS)
  await expect.element(screen.getByText('Wall hook')).toBeVisible()
  await expect.element(screen.getByText('Loading the parts')).not.toBeInTheDocument()
})

it('ListPage reports a failure, and loads again after Retry', async () => {
  let isAway = true
  const screen = await show(async (search) => {
    if (isAway) throw new ApiError({ status: 503, detail: 'The database is away.', otherwise: '' })
    return findByName(search)
  })
  await expect.element(screen.getByText('The parts could not be loaded.')).toBeVisible()
  await expect.element(screen.getByText(/The database is away/)).toBeVisible()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await expect.element(screen.getByText('Wall hook')).toBeVisible()
})

it('ListPage on a phone shows the search in one line, and the other filters in a sheet with their number', async () => {
  await page.viewport(390, 844)
  const address = location.href
  // A change keeps the other parameters of the browser's URL.
  history.replaceState(null, '', '?search=a')
  try {
    const screen = await show(findByName, '/?search=a')
    await expect.element(screen.getByText('2 parts')).toBeVisible()
    await expect.element(screen.getByRole('combobox', { name: 'Kind' })).not.toBeInTheDocument()
    const list = document.querySelector('[data-row-keys]')?.getBoundingClientRect().top ?? Infinity
    const bar = screen.getByRole('searchbox', { name: 'Search parts' }).element().getBoundingClientRect().top
    expect(list - bar).toBeLessThan(100)
    await userEvent.click(screen.getByRole('button', { name: 'Filters', exact: true }))
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'tray')
    await userEvent.click(screen.getByRole('button', { name: 'Apply Filters' }))
    // The search stays, although it is not in the sheet.
    await expect.element(screen.getByText('1 part', { exact: true })).toBeVisible()
    await expect.element(screen.getByText('Address: search=a&kind=tray')).toBeVisible()
    history.replaceState(null, '', '?search=a&kind=tray')
    await userEvent.fill(screen.getByRole('searchbox', { name: 'Search parts' }), 'Let')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByText('Address: search=Let&kind=tray')).toBeVisible()
    history.replaceState(null, '', '?search=Let&kind=tray')
    await userEvent.click(screen.getByRole('button', { name: 'Filters, 1 applied' }))
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    await expect.element(screen.getByText('Address: search=Let')).toBeVisible()
  } finally {
    history.replaceState(null, '', address)
    await page.viewport(1280, 800)
  }
})

const names = (screen: Awaited<ReturnType<typeof show>>) =>
  screen
    .getByRole('checkbox')
    .elements()
    .map((box) => box.closest('label')?.textContent)

it('ListPage sorts by a column when its head is clicked, and keeps the sorting in the URL', async () => {
  const screen = await show()
  await expect.element(screen.getByText('Letter tray')).toBeVisible()
  const head = screen.getByRole('columnheader', { name: 'Name' })
  await expect.element(head).toHaveAttribute('aria-sort', 'none')
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  await expect.element(head).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => names(screen)).toEqual(['Letter tray', 'Wall hook'])
  await expect.element(screen.getByText(/by=name$/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  await expect.poll(() => names(screen)).toEqual(['Wall hook', 'Letter tray'])
  await expect.element(screen.getByText(/by=-name$/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  await expect.element(head).toHaveAttribute('aria-sort', 'none')
})
