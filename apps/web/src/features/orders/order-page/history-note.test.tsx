import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { HistoryNote } from './history-note.tsx'

it('the page of an order that was finished before it was received says why the stock did not change', async () => {
  const screen = await render(<HistoryNote order={{ is_history: false }} />)
  await expect.element(screen.container).toBeEmptyDOMElement()
  await screen.rerender(<HistoryNote order={{ is_history: true }} />)
  await expect
    .element(
      screen.getByText(
        'This order was finished before Pegasus Ops received it, so its pieces did not change the stock.',
      ),
    )
    .toBeVisible()
})
