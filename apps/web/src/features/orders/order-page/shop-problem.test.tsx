import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'

it('each note about a different order in the shop is translated on its own', async () => {
  localStorage.setItem('pegasus-ops-language', 'de')
  try {
    const { ShopProblem } = await import('./shop-problem.tsx')
    const { serverTextsLoaded } = await import('@/lib/i18n/server-texts.ts')
    await serverTextsLoaded
    const notes = [
      'The shop sent pieces that were not in stock here: 2 of Dragon. They count as shipped, and the stock stays as it is.',
      'The shop took back pieces that were shipped here: 1 of Egg. If they have not left, undo their shipment here. Otherwise, mark them as sent in the shop.',
    ]
    const screen = await render(<ShopProblem notes={notes.join('\n')} />)
    await expect.element(screen.getByText(/^Der Shop hat Teile versendet.*: 2 of Dragon\./)).toBeVisible()
    await expect.element(screen.getByText(/^Der Shop hat Teile zurückgenommen.*: 1 of Egg\./)).toBeVisible()
  } finally {
    localStorage.removeItem('pegasus-ops-language')
  }
})
