import { AdminPage } from '../app/admin-page.tsx'
import { MediaRoom } from '../features/media/media-room.tsx'

export function MediaRoute() {
  return (
    <AdminPage title="Product media">
      <MediaRoom />
    </AdminPage>
  )
}
