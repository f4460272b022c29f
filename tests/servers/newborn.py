"""`newborn.py SOCKET WORDS…`: has a nursery run the words with what this process was given.

Signals go on to the program, and its end is the end of this process. Imports as little as it can.
"""

import os
import sys
from _signal import SIG_DFL, SIGHUP, SIGINT, SIGTERM, signal  # type: ignore[import-not-found]
from _socket import AF_UNIX, SCM_RIGHTS, SOL_SOCKET, socket

UNCATCHABLE = (9, 19)
talk = socket(AF_UNIX)
talk.connect(sys.argv[1])
for number in (SIGHUP, SIGINT, SIGTERM):
    signal(number, lambda number, _: talk.send(bytes([number])))
words = [os.fsencode(word) for word in sys.argv[2:]]
environ = [key + b"=" + value for key, value in os.environb.items()]
asked = b"\0".join([os.getcwdb(), b"%d" % len(words), *words, *environ])
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
talk.sendmsg([b"!"], [(SOL_SOCKET, SCM_RIGHTS, streams)])
talk.sendall(b"%d\n" % len(asked) + asked)
for number in range(3):  # only the program itself holds them from here on
    os.close(number)
code = int(talk.recv(20) or b"1")
if code < 0:
    if -code not in UNCATCHABLE:
        signal(-code, SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
