import { expect, type Page } from '@playwright/test'

/** Turns the open model with the arrow keys. Fails if the picture does not change. */
export async function turnModel(page: Page): Promise<void> {
  const view = page.getByLabel(/^3D view of/)
  await expect(view).toBeVisible()
  const before = await view.screenshot()
  await view.focus()
  for (let i = 0; i < 4; i += 1) await view.press('ArrowRight')
  await expect.poll(async () => Buffer.compare(before, await view.screenshot())).not.toBe(0)
}
