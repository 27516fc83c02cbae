import '@/styles/index.css'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'

const WIDTHS = [390, 360]

it('the labels of the bottom bar fit in German, which has the longest ones', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  try {
    const { BottomBar } = await import('./bottom-bar.tsx')
    const { TABS } = await import('../tabs.ts')
    const { Providers } = await import('../../../gallery/providers.tsx')
    const screen = await render(
      <Providers>
        <BottomBar tabs={TABS} current="dashboard" onScan={() => undefined} />
      </Providers>,
    )
    const bar = screen.getByRole('navigation')
    for (const width of WIDTHS) {
      await page.viewport(width, 844)
      await expect.element(bar.getByText('Drucke', { exact: true })).toBeVisible()
      const labels = [...bar.element().querySelectorAll('span')]
      const cut = labels.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      expect({ width, labels: labels.length, cut: cut.map(({ textContent }) => textContent) }).toEqual({
        width,
        labels: 4,
        cut: [],
      })
    }
  } finally {
    await page.viewport(1280, 800)
    localStorage.removeItem('pegasus-ops-language')
  }
})
