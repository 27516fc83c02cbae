import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import '@/styles/index.css'
import { DemoBanner } from './demo-banner.tsx'

it('the banner of the demo is one short line on a phone, and says the whole sentence to a screen reader', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1280, 800))
  const screen = await render(
    <Providers>
      <DemoBanner />
    </Providers>,
  )
  const banner = screen.getByRole('complementary', { name: 'Demo' })
  await expect.element(banner.getByText(/^This is the demo\./)).toBeInTheDocument()
  expect(banner.element().getBoundingClientRect().height).toBeLessThanOrEqual(46)
  expect(banner.element().scrollWidth).toBeLessThanOrEqual(390)
})
