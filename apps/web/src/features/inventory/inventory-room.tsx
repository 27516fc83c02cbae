import { Boxes } from 'lucide-react'
import { RoomNotice } from '@/components/room-notice.tsx'

export function InventoryRoom() {
  return (
    <RoomNotice name="Inventory" Icon={Boxes} title="No inventory items found">
      Finished parts will be listed here, each with its stock against the reorder point, its location and its
      price.
    </RoomNotice>
  )
}
