import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SearchField } from './filter-bar.tsx'

it('a search field shows its label as the placeholder, and on a phone only a word that fits', async () => {
  const label = 'Search brand, color, lot or spool'
  const screen = await render(<SearchField label={label} value="" />)
  const field = screen.getByRole('searchbox', { name: label })
  await expect.element(field).toHaveAttribute('placeholder', label)
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1280, 800))
  await expect.element(field).toHaveAttribute('placeholder', 'Search')
})
