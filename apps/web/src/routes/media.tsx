import { AdminPage } from '../app/admin-page.tsx'
import { MediaPage } from '../features/media/media-page.tsx'
import { t } from '@/lib/i18n/messages.ts'

export function MediaRoute() {
  return (
    <AdminPage title={t('Product media')}>
      <MediaPage />
    </AdminPage>
  )
}
