// Facts about the places a call touches (ux: risk cues): what leaves the project, credentials, deletions, configuration of agents
// and of builds. Reads canonical paths only.

import type { RequestPath, RiskFact } from '../../shared/model';
import { isInsideBoundary, isInsideRoots } from './directories';
import type { CallFacts, SessionFacts } from './facts';
import { placeText } from './narrative';
import { comparable, within } from './path-text';
import { protectedReason } from './protected';

export function placeFacts(call: CallFacts, session: SessionFacts): readonly RiskFact[] {
  return call.paths.flatMap((path) => factsOfPath(path, session));
}

function factsOfPath(path: RequestPath, session: SessionFacts): readonly RiskFact[] {
  const { canonical, access } = path;
  if (canonical === null) return [{ key: 'unresolved_path', level: 'high', text: `\`${path.raw}\` cannot be resolved to one place.` }];
  const place = placeText(canonical, session);
  const facts: RiskFact[] = [];
  if (path.deletes === true) {
    const root = rootBelow(canonical, session);
    facts.push(root === null ? deletion(place, canonical, session) : removal(canonical, root, session));
  }
  if (access === 'write' && isDevice(canonical))
    facts.push({ key: 'disk_command', level: 'high', text: `Writes to the device \`${canonical}\` itself.` });
  if (!isInsideBoundary(canonical, session)) {
    const text = access === 'write' ? `Writes \`${place}\`, outside the project.` : `Reads \`${place}\`, outside the project.`;
    facts.push({ key: access === 'write' ? 'writes_outside' : 'reads_outside', level: 'high', text });
  }
  facts.push(...secrets(canonical, place, access, session));
  if (access === 'write') facts.push(...settings(canonical, place, session));
  if (facts.length > 0) return facts;
  if (access === 'read') return [{ key: 'reads', level: 'low', text: `Reads \`${place}\`, inside the allowed directories.` }];
  return [{ key: 'edits', level: 'medium', text: `Changes \`${place}\`${isInsideRoots(canonical, session) ? ' in the project' : ''}.` }];
}

// ------------------------------------------------------------------ deleting

/** What everything else hangs on that lies at or below `path`: the whole disk, the home folder, a root. Null: none of them. */
export function rootBelow(path: string, session: SessionFacts): string | null {
  const { platform, root, workingDirectory, access, writeRoots, protectedPlaces } = session;
  const text = comparable(path, platform);
  const holds = (dir: string | null): boolean => dir !== null && within(text, comparable(dir, platform));
  if (/^(?:\/|[a-z]:\/?)$/i.test(text)) return 'everything on the disk';
  if (holds(protectedPlaces.home)) return 'the home folder';
  if (holds(root)) return 'the root of the session';
  if (holds(workingDirectory)) return 'the working directory';
  return access.some((entry) => holds(entry.path)) || writeRoots.some(holds) ? 'a directory the session was given' : null;
}

export const removal = (path: string, root: string, session: SessionFacts): RiskFact => ({
  key: 'removes_root',
  level: 'high',
  text: `Removes \`${placeText(path, { ...session, root: null })}\`, and with it ${root}.`,
});

const BUILD_OUTPUT: ReadonlySet<string> = new Set(
  (
    'bin dist build out target node_modules coverage .next .nuxt .svelte-kit .turbo .cache .parcel-cache .vite __pycache__ .pytest_cache .mypy_cache ' +
    '.ruff_cache .tox .nyc_output .gradle obj tmp .tmp temp'
  ).split(' '),
);

/** Inside a root and below a folder that a build makes again. The folder itself counts. */
export function isBuildOutput(path: string, session: SessionFacts): boolean {
  const { root, workingDirectory, platform } = session;
  const text = comparable(path, platform);
  const base = [workingDirectory, root].find((dir) => dir !== null && within(comparable(dir, platform), text));
  if (base === undefined || base === null) return false;
  return text
    .slice(comparable(base, platform).length)
    .split('/')
    .some((segment) => BUILD_OUTPUT.has(segment));
}

export function deletion(place: string, path: string, session: SessionFacts): RiskFact {
  return isBuildOutput(path, session)
    ? { key: 'deletes_build_output', level: 'medium', text: `Deletes \`${place}\`, which a build makes again.` }
    : { key: 'deletes', level: 'high', text: `Deletes \`${place}\`, which is no build output.` };
}

// ------------------------------------------------------------------ secrets, settings, devices

const SECRET_NAME =
  /^(?:\.env(?:\..+)?|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn)|credentials(?:\.json)?|service[-_]account.*\.json|\.pgpass|\.htpasswd|\.pypirc|\.npmrc|\.vault-token)$/i;
/** Examples without secrets in them. */
const TEMPLATE_NAME = /^\.env\.(?:example|sample|template|dist|defaults?)$/i;

function secrets(canonical: string, place: string, access: RequestPath['access'], session: SessionFacts): readonly RiskFact[] {
  const { protectedPlaces, platform } = session;
  const reason = protectedReason(canonical, access, protectedPlaces, platform);
  const segments = comparable(canonical, platform).split('/');
  const name = segments.at(-1) ?? '';
  if (reason?.kind === 'own_data') return [{ key: 'own_files', level: 'high', text: `Touches \`${place}\`, a file of the permission gate itself.` }];
  if (reason?.kind === 'added') return [{ key: 'credentials', level: 'high', text: `Touches \`${place}\`, which you closed to agents.` }];
  const isSecret = reason?.kind === 'credentials' || segments.includes('secrets') || (SECRET_NAME.test(name) && !TEMPLATE_NAME.test(name));
  return isSecret ? [{ key: 'credentials', level: 'high', text: `Touches \`${place}\`, where credentials are kept.` }] : [];
}

const CI_NAME =
  /^(?:\.gitlab-ci\.ya?ml|jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|\.travis\.ya?ml|appveyor\.ya?ml|cloudbuild\.ya?ml|\.pre-commit-config\.ya?ml)$/i;
const CI_FOLDERS: readonly string[] = [
  '.github/workflows',
  '.github/actions',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.forgejo/workflows',
  '.gitea/workflows',
];
const INSTRUCTIONS_NAME = /^(?:agents|claude|gemini|qwen|copilot-instructions|\.cursorrules|\.clinerules|\.windsurfrules)(?:\.local)?(?:\.md)?$/i;
const AGENT_FOLDERS: readonly string[] = ['.claude', '.codex', '.opencode', '.gemini', '.qwen', '.cursor', '.copilot', '.pi', '.cline'];

function settings(canonical: string, place: string, session: SessionFacts): readonly RiskFact[] {
  const text = comparable(canonical, session.platform);
  const name = text.slice(text.lastIndexOf('/') + 1);
  const reason = protectedReason(canonical, 'write', session.protectedPlaces, session.platform);
  const isBelow = (folder: string): boolean => text.includes(`/${folder}/`) || text.endsWith(`/${folder}`);
  if (reason?.kind === 'agent_settings' || AGENT_FOLDERS.some(isBelow) || INSTRUCTIONS_NAME.test(name))
    return [{ key: 'agent_configuration', level: 'high', text: `Changes \`${place}\`, which steers an agent or a shell.` }];
  if (CI_NAME.test(name) || CI_FOLDERS.some(isBelow))
    return [{ key: 'ci_configuration', level: 'high', text: `Changes \`${place}\`, which runs in continuous integration.` }];
  return [];
}

const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd(?:\/\d+)?|pts\/\d+|shm(?:\/.*)?|mqueue(?:\/.*)?)$/;
const isDevice = (path: string): boolean =>
  (path.startsWith('/dev/') && !HARMLESS_DEVICES.test(path)) || /^\\\\[.?]\\(?:PhysicalDrive|[A-Za-z]:$)/i.test(path);
