import { AdminPage } from '../app/admin-page.tsx'
import { MediaPage } from '../features/media/media-page.tsx'

export function MediaRoute() {
  return (
    <AdminPage title="Product media">
      <MediaPage />
    </AdminPage>
  )
}
