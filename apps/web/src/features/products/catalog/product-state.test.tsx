import type { Product } from '@pegasus/contracts/products/products'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../../gallery/providers.tsx'
import { ProductStatus } from './product-state.tsx'
import { RowAction } from './row-actions.tsx'

it('a product whose publication failed is shown as not published, with the reason', async () => {
  const product = { status: 'failed', failure_reason: 'The shop said no.' } as Product
  await render(<ProductStatus product={product} />)
  await expect.element(page.getByText('Not published', { exact: true })).toBeVisible()
  await expect.element(page.getByText('The shop said no.')).toBeVisible()
  await expect.element(page.getByText('Failed')).not.toBeInTheDocument()
})

it('the row of a sold-out product offers to print what its orders lack, and each row its page in the shop', async () => {
  const soldOut = {
    name: 'Dragon',
    status: 'published',
    inventory_item_id: 'item-1',
    site_url: 'https://shop.example.com/dragon',
    offered_stock: 0,
    offered_from: { available_quantity: 1, needed_quantity: 4, held_quantity: 0, safety_stock: 0 },
    deleted_at: null,
  } as unknown as Product
  const printAddress = ({ itemId, quantity }: { itemId: string; quantity: number }) =>
    `/print-${itemId}-${quantity}`
  const rowOf = (product: Product, mayWrite: boolean) => (
    <Providers>
      <RowAction product={product} mayWrite={mayWrite} printAddress={printAddress} />
    </Providers>
  )
  const print = page.getByRole('link', { name: 'Print Dragon' })
  const inShop = page.getByRole('link', { name: 'Open Dragon in the shop' })
  const { rerender } = await render(rowOf(soldOut, true))
  await expect.element(print).toHaveAttribute('href', '/print-item-1-3')
  await expect.element(inShop).toHaveAttribute('href', 'https://shop.example.com/dragon')
  await rerender(rowOf(soldOut, false))
  await expect.element(print).not.toBeInTheDocument()
  await expect.element(inShop).toBeVisible()
  await rerender(rowOf({ ...soldOut, offered_stock: 2 }, true))
  await expect.element(print).not.toBeInTheDocument()
})
