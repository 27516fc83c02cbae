import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type PerspectiveCamera,
  Scene,
  ShaderMaterial,
  Sphere,
  Vector3,
} from 'three'
import type { ReadyMesh } from '../mesh-message.ts'

/** Albedo of the gray primer that every model is shown in, in linear color space. */
const PRIMER = 0.37

/** Scales the sky and ground light of the stored pictures to the light intensities of this renderer. */
const SKY = 3.6

/** Creates the part itself. It has one geometry, and is drawn as a matte solid or as its edges. */
export function createPart(mesh: ReadyMesh) {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3))
  geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3, true))
  const [x, y, z] = mesh.size
  geometry.boundingSphere = new Sphere(new Vector3(0, 0, z / 2), Math.hypot(x, y, z) / 2)

  const solid = new MeshLambertMaterial({ side: DoubleSide })
  solid.color.setRGB(PRIMER, PRIMER, PRIMER)
  const wires = createWireMaterial()
  const object = new Mesh<BufferGeometry, Material>(geometry, solid)
  return {
    object,
    showWires: (isWireframe: boolean) => {
      object.material = isWireframe ? wires : solid
    },
    setInk: (ink: Color) => {
      ;(wires.uniforms.ink as { value: Color }).value.copy(ink)
    },
    dispose: () => {
      geometry.dispose()
      solid.dispose()
      wires.dispose()
    },
  }
}

/**
 * Draws edges without a second copy of the geometry. A corner's number within its triangle gives barycentric
 * coordinates, and pixels away from an edge are discarded. An index of edges would take 24 bytes per triangle and
 * seconds to build.
 */
function createWireMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    side: DoubleSide,
    alphaToCoverage: true,
    uniforms: { ink: { value: new Color() } },
    vertexShader: `
      varying vec3 vCorner;
      void main() {
        int corner = gl_VertexID % 3;
        vCorner = vec3(corner == 0, corner == 1, corner == 2);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 ink;
      varying vec3 vCorner;
      void main() {
        vec3 perPixel = fwidth(vCorner);
        vec3 pixels = vCorner / max(perPixel, vec3(1e-6));
        float line = 1.0 - smoothstep(0.4, 1.4, min(min(pixels.x, pixels.y), pixels.z));
        float crowding = max(max(perPixel.x, perPixel.y), perPixel.z);
        float alpha = line * mix(1.0, 0.3, smoothstep(0.2, 0.8, crowding));
        if (!gl_FrontFacing) alpha *= 0.35;
        if (alpha < 0.05) discard;
        gl_FragColor = vec4(ink, alpha);
        #include <colorspace_fragment>
      }`,
  })
}

/**
 * Creates the same light as in the pictures: a broad key lamp from the upper left front, a weak cool fill
 * from the back right, and a sky that fades to the ground. Both lamps follow the camera, so that every side
 * is lit like the first one.
 */
export function createLitScene(camera: PerspectiveCamera): Scene {
  const scene = new Scene()
  const sky = new HemisphereLight(0xffffff, 0xffffff, 1)
  sky.color.setRGB(0.78, 0.79, 0.8).multiplyScalar(SKY)
  sky.groundColor.setRGB(0.16, 0.16, 0.165).multiplyScalar(SKY)
  sky.position.set(0, 0, 1)
  const key = new DirectionalLight(0xffffff, 4.6)
  key.position.set(-0.95, 0.9, 0.5)
  const fill = new DirectionalLight(0xffffff, 0.9)
  fill.color.setRGB(0.86, 0.93, 1)
  fill.position.set(0.9, 0.2, -0.6)
  // A directional light points at its target. Both are children of the camera, so the direction turns with it.
  camera.add(key, key.target, fill, fill.target)
  scene.add(sky, camera)
  return scene
}
