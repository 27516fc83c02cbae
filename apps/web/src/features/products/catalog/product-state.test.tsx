import type { Product } from '@pegasus/contracts/products/products'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { ProductStatus } from './product-state.tsx'
import { hasAction, RowAction } from './row-actions.tsx'

it('a product whose publication failed is shown as not published, with the reason', async () => {
  const product = { status: 'failed', failure_reason: 'The shop said no.' } as Product
  await render(<ProductStatus product={product} />)
  await expect.element(page.getByText('Not published', { exact: true })).toBeVisible()
  await expect.element(page.getByText('The shop said no.')).toBeVisible()
  await expect.element(page.getByText('Failed')).not.toBeInTheDocument()
})

const SOLD_OUT = {
  name: 'Dragon',
  status: 'published',
  inventory_item_id: 'item-1',
  site_url: 'https://shop.example.com/dragon',
  offered_stock: 0,
  offered_from: { available_quantity: 1, needed_quantity: 4, held_quantity: 2, safety_stock: 3 },
  queued_quantity: 0,
  stock: 0,
  deleted_at: null,
} as unknown as Product

/** The stock of a product whose item is in the trash: there is no offer. */
const NO_OFFER = { offered_stock: null, offered_from: null }

it('the row of a sold-out product offers to print until one piece can be sold, and each row links to its page in the shop', async () => {
  const printAddress = ({ itemId, quantity }: { itemId: string; quantity: number }) =>
    `/print-${itemId}-${quantity}`
  const rowOf = (product: Product, mayWrite: boolean) => (
    <Providers>
      <RowAction product={product} mayWrite={mayWrite} printAddress={printAddress} />
    </Providers>
  )
  const print = page.getByRole('link', { name: 'Print Dragon' })
  const inShop = page.getByRole('link', { name: 'Open Dragon in the shop' })
  const { rerender } = await render(rowOf(SOLD_OUT, true))
  await expect.element(print).toHaveAttribute('href', '/print-item-1-9')
  await expect.element(inShop).toHaveAttribute('href', 'https://shop.example.com/dragon')
  await rerender(rowOf({ ...SOLD_OUT, queued_quantity: 7 }, true))
  await expect.element(print).toHaveAttribute('href', '/print-item-1-2')
  await rerender(rowOf(SOLD_OUT, false))
  await expect.element(print).not.toBeInTheDocument()
  await expect.element(inShop).toBeVisible()
  for (const other of [{ offered_stock: 2 }, { queued_quantity: 9 }, NO_OFFER]) {
    await rerender(rowOf({ ...SOLD_OUT, ...other }, true))
    await expect.element(print).not.toBeInTheDocument()
  }
})

it('the product list has a column of actions if a person can do something in a row', () => {
  const soldOut = { ...SOLD_OUT, site_url: null }
  expect(hasAction(soldOut, true)).toBe(true)
  expect(hasAction(soldOut, false)).toBe(false)
  expect(hasAction({ ...soldOut, ...NO_OFFER }, true)).toBe(false)
  expect(hasAction(SOLD_OUT, false)).toBe(true)
  const deleted = { ...SOLD_OUT, deleted_at: '2026-11-20T08:00:00Z' }
  expect([hasAction(deleted, true), hasAction(deleted, false)]).toEqual([true, false])
})
