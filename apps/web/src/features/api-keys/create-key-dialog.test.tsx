import { afterEach, beforeEach, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'

const ADA = {
  id: '01890000-0000-7000-8000-000000000001',
  username: 'ada',
  full_name: 'Ada',
  role: 'staff',
  system_access: true,
}

const browserFetch = window.fetch

beforeEach(() => {
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin)
    return pathname === '/api/auth/users' ? Response.json([ADA]) : browserFetch(input, init)
  }
})
afterEach(() => {
  window.fetch = browserFetch
})

it('no user is preselected for a new API key, even if there is only one', async () => {
  const screen = await render(
    <Providers>
      <CreateKeyDialog isOpen onClose={() => undefined} onIssued={() => undefined} />
    </Providers>,
  )
  const user = screen.getByRole('combobox', { name: 'User' })
  await expect.element(user.getByRole('option', { name: 'ada, Ada (staff)' })).toBeInTheDocument()
  await expect.element(user).toHaveDisplayValue('Select a user')
})
