import { userInfo } from 'node:os';

/**
 * The user by the system's own list, whatever the environment says. In a container there may be no entry for the user's number: it is then
 * the name, and the home folder is one that does not exist, as systems have it for users without one.
 */
export function findUser(): { name: string; home: string } {
  try {
    const { username, homedir } = userInfo();
    return { name: username, home: homedir };
  } catch {
    return { name: `user ${process.getuid?.() ?? 'unknown'}`, home: '/nonexistent' };
  }
}
