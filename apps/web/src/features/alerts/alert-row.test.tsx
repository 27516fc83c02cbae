import type { Alert } from '@pegasus/contracts/alerts/alerts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Providers } from '../../../gallery/providers.tsx'
import { AlertRow } from './alert-row.tsx'

it('the row of an alert of an unknown kind shows the title and asks the person to reload the page', async () => {
  const later: object = {
    id: '01890000-0000-7000-8000-000000000000',
    kind: 'drone_lost',
    entity_id: null,
    title: 'Drone 7',
    facts: {},
    created_at: '2026-11-01T10:00:00.000Z',
    read_at: null,
  }
  await render(
    <Providers>
      <ul>
        <AlertRow alert={later as Alert} onRead={() => undefined} onLeave={() => undefined} />
      </ul>
    </Providers>,
  )
  const link = page.getByRole('link', { name: 'Unread: New alert: Drone 7' })
  await expect.element(link).toHaveAttribute('href', '/')
  await expect.element(page.getByText('Reload the page to see this alert.')).toBeVisible()
})
