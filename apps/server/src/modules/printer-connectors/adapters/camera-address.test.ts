import { expect, it } from 'vitest'
import { findCameraAddress } from './camera-address.ts'

const PATH = '/webcam/?action=snapshot'

it.each([
  ['http://192.168.1.40:7125', PATH, `http://192.168.1.40 ${PATH}`],
  ['https://voron.lan:7130', 'webcam/?action=snapshot', `http://voron.lan ${PATH}`],
  ['http://[fd12::40]:7125', PATH, `http://[fd12::40] ${PATH}`],
  // Here, the address of the printer is that of its web interface, which also serves the camera.
  ['http://192.168.1.40', PATH, `http://192.168.1.40 ${PATH}`],
  ['http://192.168.1.40:4408', PATH, `http://192.168.1.40:4408 ${PATH}`],
  ['https://farm.lan/voron', PATH, `https://farm.lan/voron ${PATH}`],
  [
    'http://192.168.1.40:7125',
    'http://192.168.1.40:8080/?action=snapshot',
    'http://192.168.1.40:8080 /?action=snapshot',
  ],
  ['http://voron.lan:7125', 'https://user:word@Voron.LAN/snap', 'https://voron.lan /snap'],
  ['http://192.168.1.40:7125', 'http://192.168.1.41:8080/?action=snapshot', null],
  ['http://192.168.1.40:7125', 'http://localhost:8080/', null],
  ['http://192.168.1.40:7125', '//192.168.1.41/snap', null],
  ['http://192.168.1.40:7125', '\\\\192.168.1.41/snap', null],
  ['http://192.168.1.40:7125', 'ftp://192.168.1.40/snap', null],
  ['http://192.168.1.40:7125', 'rtsp://192.168.1.40:554/ch1', null],
  ['http://192.168.1.40:7125', 'http://', null],
])('the camera of a printer at %s with the snapshot URL %s is at %s', (address, url, found) => {
  const camera = findCameraAddress(address, url)
  expect(camera && `${camera.address} ${camera.path}`).toBe(found)
})
