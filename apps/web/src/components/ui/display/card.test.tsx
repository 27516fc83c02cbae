import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from '../actions/button.tsx'
import '@/styles/index.css'
import { Card } from './card.tsx'

it.each([390, 1280])(
  'a button in the head of a card does not touch the borders of the card at a width of %i',
  async (width) => {
    await page.viewport(width, 844)
    onTestFinished(() => page.viewport(1280, 800))
    const screen = await render(
      <Card title="Backups" aside={<Button size="sm">Back up now</Button>}>
        <p>None</p>
      </Card>,
    )
    const button = screen.getByRole('button').element().getBoundingClientRect()
    const card = screen.container.querySelector('section')!.getBoundingClientRect()
    const body = screen.getByText('None').element().getBoundingClientRect()
    expect(button.top - card.top).toBeGreaterThanOrEqual(4)
    expect(body.top - button.bottom).toBeGreaterThanOrEqual(4)
  },
)
