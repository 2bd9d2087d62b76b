"""A receiver of webhooks: checks each message and prints what it tells. See docs/webhooks.md."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["TAPETE_WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()  # in your database, where it outlives the process


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = hmac.digest(KEY, f"{name}.{sent}.".encode() + body, hashlib.sha256)
        good = "v1," + base64.b64encode(signed).decode()
        given = self.headers["webhook-signature"].split()
        ours = any(hmac.compare_digest(good, one) for one in given)
        if not ours or abs(time.time() - int(sent)) > 300:
            self.send_error(401)
            return
        self.send_response(204)  # first say that you have it, then do what is to be done
        self.end_headers()
        if name not in seen:
            seen.add(name)
            message = json.loads(body)
            print(message["type"], message["data"], flush=True)


HTTPServer(("", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
