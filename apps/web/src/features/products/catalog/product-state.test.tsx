import type { Product } from '@pegasus/contracts/products/products'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ProductStatus } from './product-state.tsx'

it('a product whose publication failed is shown as not published, with the reason', async () => {
  const product = { status: 'failed', failure_reason: 'The shop said no.' } as Product
  await render(<ProductStatus product={product} />)
  await expect.element(page.getByText('Not published', { exact: true })).toBeVisible()
  await expect.element(page.getByText('The shop said no.')).toBeVisible()
  await expect.element(page.getByText('Failed')).not.toBeInTheDocument()
})
