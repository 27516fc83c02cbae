import { Images } from 'lucide-react'
import { AdminPage } from '../app/admin-page.tsx'
import { RoomNotice } from '../components/room-notice.tsx'

export function MediaRoute() {
  return (
    <AdminPage title="Product media">
      <RoomNotice name="Uploaded files" Icon={Images} title="No product media">
        Pictures and videos of products will be listed here, each with its public address.
      </RoomNotice>
    </AdminPage>
  )
}
