import { expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CameraPicture } from './camera-picture.tsx'

it('the picture of a camera is replaced every ten seconds while the page is visible', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const dot = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  await render(<CameraPicture src={`${dot}#`} name="Mini" fit="cover" className="size-20" />)
  const picture = page.getByRole('img', { name: 'Camera of Mini' })
  await expect.element(picture).toHaveAttribute('src', `${dot}#&picture=0`)
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  vi.advanceTimersByTime(10_000)
  await expect.element(picture).toHaveAttribute('src', `${dot}#&picture=1`)

  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => hidden.mockRestore())
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  vi.advanceTimersByTime(30_000)
  await expect.element(picture).toHaveAttribute('src', `${dot}#&picture=1`)
  hidden.mockReturnValue('visible')
  vi.advanceTimersByTime(10_000)
  await expect.element(picture).toHaveAttribute('src', `${dot}#&picture=2`)
})

it('if a camera sends no picture, the page says so and requests another picture later', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await render(<CameraPicture src="data:image/png,broken#" name="Mini" fit="cover" className="size-20" />)
  const failed = page.getByRole('img', { name: 'The camera of Mini sends no picture' })
  await expect.element(failed).toBeInTheDocument()
  // A faint symbol is shown instead of the browser's symbol for a broken picture.
  await expect.element(failed).toHaveClass('opacity-0')
  vi.advanceTimersByTime(10_000)
  await expect.element(failed).toHaveAttribute('src', 'data:image/png,broken#&picture=1')
})
