import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { listQuery, useList } from './use-list.ts'

const PAGES = [
  ['Hook', 'Vase'],
  ['Vase', 'Egg'],
]

const query = listQuery(['overlapping'], async ({ cursor }) => {
  const items = PAGES[Number(cursor ?? 0)]?.map((id) => ({ id })) ?? []
  return { items, total: 3, isTotalCapped: false, nextCursor: cursor ? null : '1' }
})

function List() {
  const { items, paging } = useList(query)
  return (
    <>
      <p>{items.map(({ id }) => id).join(', ')}</p>
      {paging.hasMore ? <button onClick={() => void paging.onMore()}>More</button> : null}
    </>
  )
}

it('a row that has moved to the next page of a list since the first page was read is listed once', async () => {
  const screen = await render(
    <Providers>
      <List />
    </Providers>,
  )
  await screen.getByRole('button', { name: 'More' }).click()
  await expect.element(screen.getByText('Hook, Vase, Egg')).toBeVisible()
})
